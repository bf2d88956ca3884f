# Prints what zsh offers for a command line, one group of names a line: `<one|two>`.
# $1: the folder of the completion files; $2: the line. A second zsh in a pseudo terminal is asked, as a person asks it.
zmodload zsh/zpty || exit 3
zpty shell "zsh -f -i"
zpty -w shell "PROMPT= RPROMPT=; fpath=(${(q)1} \$fpath); autoload -Uz compinit && compinit -u -d ${(q)1}/dump"
zpty -w shell 'compadd() {
  local -a hits
  if [[ " ${@[1,(i)--]} " == *" -"[a-zA-Z]#[OAD]" "* ]]; then builtin compadd "$@"; return; fi
  builtin compadd -O hits "$@"
  print -r -- "<${(j:|:)hits}>"
  builtin compadd "$@"
}'
zpty -w shell "comppostfuncs=(_told); _told() { print -r -- '<end>'; exit }"
zpty -w shell 'bindkey "^I" complete-word; print "<begin"">"'
while zpty -r shell line; do [[ $line == *"<begin>"* ]] && break; done
zpty -n -w shell "$2"$'\t'
while zpty -r shell line; do
  [[ $line == *"<end>"* ]] && break
  print -r -- "$line"
done
zpty -d shell
