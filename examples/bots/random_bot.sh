#!/bin/bash
# A bot for every game of Turntile in one line of shell, in plain mode: any of the legal actions it is told.
#
#   turntile run tron -s 'plain:bash random_bot.sh' -s greedy

while read -r word rest; do case $word in legal) ((RANDOM % ++n)) || action=$rest ;; go) echo "$action"; n=0 ;; esac; done
