# Completion of gg-svc for fish. Written by: gg-svc completion fish
function __gg_svc_candidates
    set -l token (commandline -ct)
    set -l words (commandline -opc) "$token"
    set -l flag (string match -r '^-[^=]*=' -- "$token")
    set -l path (string replace -r '^-[^=]*=' '' -- "$token")
    for line in ($words[1] __complete $words[2..] 2> /dev/null)
        switch $line
            case :topology
                __fish_complete_path "$path" | string match -r '^.*(?:\.gg|/)(?=\t|$)'
            case :file
                __fish_complete_path "$path"
            case :directory
                __fish_complete_directories "$path" ''
            case '*'
                echo $line
        end | string replace -r -- '^' "$flag"
    end
end

complete -c gg-svc -f -a '(__gg_svc_candidates)'
