#!/bin/sh
# A number-guess agent in a few lines of shell: any language that reads and writes lines will do.
#
#   thorp match run number-guess --agent "cmd:sh examples/agents/halver.sh" --agent random

# Sets $value to what the line has under a name, the first time the name occurs.
field() {
    value=${line#*\"$1\":}
    value=${value%%[,\}]*}
}

while IFS= read -r line; do
    field type
    case $value in
    '"init"')
        field minimum && low=$value
        field maximum && high=$value
        echo '{"type":"ready","protocol":1}'
        ;;
    '"act"')
        field turn && turn=$value
        field lastGuess && last=$value
        field feedback
        case $value in
        '"higher"') low=$((last + 1)) ;;
        '"lower"') high=$((last - 1)) ;;
        esac
        echo "{\"type\":\"action\",\"turn\":$turn,\"action\":{\"guess\":$(((low + high) / 2))}}"
        ;;
    '"end"') exit ;;
    esac
done
