"""`bin/manage demo`: make an account with people around it, and a board from every template."""
