import ArgumentParser

/// A shell's completions of this program. The parser's own scripts offer a command's words behind its name alone; of the default
/// command, which needs no name, they offer nothing.
enum CompletionScript {
    /// What the parser prints, with the default command's words where no command's name stands.
    static func completing(_ text: String, _ arguments: [String]) -> String {
        guard arguments.contains(where: { $0.hasPrefix("--generate-completion-script") }),
            let shell = CompletionShell.allCases.first(where: { AnnotateBatch.completionScript(for: $0) == text })
        else { return text }
        let name = AnnotateBatch._commandName
        let commands = (CommandWords.commands.map { $0._commandName } + ["help"]).joined(separator: " ")
        return switch shell {
        case .bash: text + bash(name, Run._commandName, commands)
        case .zsh: zsh(text, name, Run._commandName, commands)
        default: text + fish(text, name, Run._commandName, commands)
        }
    }

    /// Where the first word is none of the commands', the words are as if the default command's stood before it.
    private static func bash(_ name: String, _ command: String, _ commands: String) -> String {
        #"""


        # A manifest may stand where a command does.
        _\#(name)_or_\#(command)() {
            local -a offered=()
            if [[ COMP_CWORD -eq 1 || " \#(commands) " == *" ${COMP_WORDS[1]} "* ]]; then
                _\#(name) "${@}"
                [[ COMP_CWORD -eq 1 ]] || return 0
                offered=("${COMPREPLY[@]}")
                COMPREPLY=()
            fi
            local -a typed=("${COMP_WORDS[@]}")
            local -a COMP_WORDS=("${typed[0]}" \#(command) "${typed[@]:1}")
            local -i COMP_CWORD=$((COMP_CWORD + 1))
            _\#(name) "${@}"
            COMPREPLY=("${offered[@]}" "${COMPREPLY[@]}")
        }

        complete -o filenames -F _\#(name)_or_\#(command) \#(name)
        """#
    }

    private static func zsh(_ text: String, _ name: String, _ command: String, _ commands: String) -> String {
        let function = "\n_\(name)() {\n"
        let both = #"""

            _\#(name)() {
                local -ar commands=(\#(commands))
                local -i ret=1
                if (( CURRENT == 2 || ${commands[(Ie)${words[2]}]} )); then
                    _\#(name)_commands "${@}" && ret=0
                    (( CURRENT == 2 )) || return "${ret}"
                fi
                words=("${words[1]}" \#(command) "${(@)words[2,-1]}")
                (( CURRENT++ ))
                _\#(name)_commands "${@}" && ret=0
                return "${ret}"
            }

            # A manifest may stand where a command does.
            _\#(name)_commands() {

            """#
        return text.replacing(function, with: both)
    }

    private static func fish(_ text: String, _ name: String, _ command: String, _ commands: String) -> String {
        // What the default command offers holds for the program's first word too.
        let offers = text.split(separator: "\n").filter { $0.contains(#""\#(name) \#(command)""#) }
            .map { $0.replacing(#""\#(name) \#(command)""#, with: #""\#(name)""#) }
        return #"""


            # A manifest may stand where a command does.
            functions -e __\#(name)_typed_tokens
            functions -c __\#(name)_tokens __\#(name)_typed_tokens
            function __\#(name)_tokens
                set -l tokens (__\#(name)_typed_tokens $argv)
                if set -q tokens[2]; and not contains -- $tokens[2] \#(commands)
                    set tokens $tokens[1] \#(command) $tokens[2..]
                end
                printf '%s\n' $tokens
            end

            """# + offers.joined(separator: "\n")
    }
}
