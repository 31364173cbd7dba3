#!/bin/sh
# A program that Assay evaluates: each process answers one request, and ends.
#
#     assay run evals/tips -b "exec:sh docs/exec/tips.sh"
read -r request || exit 0
id=${request#'{"id":'} # the id is the first member of a request
id=${id%%,*}
# Your own program would get the request here: printf '%s\n' "$request" | my-program
printf '{"id":%s,"answer":{"tips":["Read it twice.","Try it once.","Keep what works."]}}\n' "$id"
