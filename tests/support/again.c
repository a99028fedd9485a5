/* A checker, whose main is named `checked`, that is started once and run again and again.

With arguments it is the checker. Without any, it forks a process for each line of its input: the
names of files for the three streams, and the arguments, separated by tabs. It answers with the
status of the process. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int checked(int count, char **argument);

static char line[1 << 16];

static void become(char *program) {
    char *field[8], *argument[8] = {program};
    int count = 0, status;
    for (char *next = strtok(line, "\t\n"); next && count < 8; next = strtok(NULL, "\t\n"))
        field[count++] = next;
    if (count < 3 || !freopen(field[0], "r", stdin) || !freopen(field[1], "w", stdout)
        || !freopen(field[2], "w", stderr))
        abort();
    for (int i = 3; i < count; i++) argument[i - 2] = field[i];
    alarm(60);
    status = checked(count - 2, argument);
    exit(status);
}

int main(int count, char **argument) {
    if (count > 1) return checked(count, argument);
    while (fgets(line, sizeof line, stdin)) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) become(argument[0]);
        if (child < 0 || waitpid(child, &status, 0) < 0) abort();
        printf("%d\n", status);
        fflush(stdout);
    }
    return 0;
}
