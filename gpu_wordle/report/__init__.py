"""What people see: tables, bar charts and plots of columns and files."""
