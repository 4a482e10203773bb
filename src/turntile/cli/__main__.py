"""`python -m turntile.cli` is the command turntile."""

from turntile.cli.main import main

main()
