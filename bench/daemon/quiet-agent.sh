#!/bin/sh
# An agent with minimal cost: its prompt is the path of a pipe, and its answer is whatever is written into that pipe.
[ "$1" = --version ] && { echo "2.1.325 (Claude Code)"; exit; }
while read -r line; do
  case $line in
  *'"type":"control_request"'*)
    id=${line#*'"request_id":"'}
    printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{"commands":[],"models":[],"account":{}}}}\n' "${id%%\"*}"
    ;;
  *'"type":"user"'*)
    pipe=${line#*'"content":"'}
    cat "${pipe%%\"*}"
    ;;
  esac
done
