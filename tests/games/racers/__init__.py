"""The rules of Rowdy Racers, one by one."""
