"""Templates: one source, several bodies of machine code."""

import inspect
import os
import subprocess
import sys

import pytest

from gpu_wordle.solver.constrained.machine_code import MACHINE_CODE as CONSTRAINED_CODE
from gpu_wordle.solver.machine.signatures import INT
from gpu_wordle.solver.machine.templates import Hook, Slot, hook, instantiate, linked_template
from gpu_wordle.solver.search import entry, hooks, openers, refute, search, split, strategy
from gpu_wordle.solver.unconstrained.machine_code import MACHINE_CODE

HOOKS = {name for name, value in vars(hooks).items() if isinstance(value, Hook)}
SLOTS = {name for name, value in vars(hooks).items() if isinstance(value, Slot)}
TEMPLATES = {
    template.function.__name__
    for module in (split, refute, search, strategy, entry, openers)
    for template in module.TEMPLATES
}

NUMBER = Slot("NUMBER")


@hook
def change(n):
    """Another number."""


@linked_template(INT(NUMBER))
def sum_of_changes(n):
    """change(n) + change(n - 1) + ... + change(1)."""
    if n == 0:
        return 0
    return change(n) + sum_of_changes(n - 1)


def test_a_template_without_its_hook_is_refused():
    with pytest.raises(TypeError, match="nobody.sum_of_changes lacks change"):
        instantiate("nobody", [sum_of_changes], {"NUMBER": INT})


@pytest.mark.parametrize("code", [MACHINE_CODE, CONSTRAINED_CODE], ids=["any", "constrained"])
def test_a_rule_fills_each_hook_and_no_other(code):
    assert set(code) == HOOKS | SLOTS | TEMPLATES


def test_each_hook_is_described():
    for name in HOOKS:
        assert len(inspect.getdoc(getattr(hooks, name)) or "") > 10, name


def test_the_hooks_of_a_rule_bear_the_names_and_arguments_of_their_declarations():
    source = inspect.getsource(hooks)
    for code in (MACHINE_CODE, CONSTRAINED_CODE):
        for name in HOOKS:
            supplied = code[name]
            if hasattr(supplied, "py_func"):
                arguments = ", ".join(inspect.signature(supplied.py_func).parameters)
                assert f"def {name}({arguments}):" in source, name


TWO_BODIES = {
    "pair.py": "from gpu_wordle.solver.machine.linking import inlined\n"
    "from gpu_wordle.solver.machine.signatures import INT\n"
    "from gpu_wordle.solver.machine.templates import Slot, callable_template, hook, instantiate\n"
    "NUMBER = Slot('NUMBER')\n"
    "@hook\n"
    "def change(n):\n"
    "    '''Another number.'''\n"
    "@callable_template(INT(NUMBER))\n"
    "def total(n):\n"
    "    if n == 0:\n"
    "        return 0\n"
    "    return change(n) + total(n - 1)\n"
    "def body(rule, function):\n"
    "    supplied = {'NUMBER': INT, 'change': inlined(INT(INT))(function)}\n"
    "    return instantiate(rule, [total], supplied)['total'].from_python\n"
    "def double(n):\n"
    "    return 2 * n\n"
    "def square(n):\n"
    "    return n * n\n",
    "use.py": "from numba.core import event\n"
    "with event.install_recorder('numba:compile') as seen:\n"
    "    import pair\n"
    "    doubles, squares = pair.body('one', pair.double), pair.body('two', pair.square)\n"
    "    results = doubles(3), squares(3)\n"
    "print(*results, 'total' in\n"
    "      {e.data['dispatcher'].py_func.__name__ for _, e in seen.buffer})\n",
}


def test_two_bodies_of_one_source_are_kept_apart_in_the_cache(tmp_path):
    """Each calls itself and its own hook, when compiled and when loaded."""
    for name, source in TWO_BODIES.items():
        tmp_path.joinpath(name).write_text(source)
    environment = {**os.environ, "GPU_WORDLE_MACHINE_CODE": str(tmp_path / "code")}
    for compiled in ("True", "False"):
        run = subprocess.run(
            [sys.executable, str(tmp_path / "use.py")],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        assert run.stdout.strip() == f"12 14 {compiled}"
