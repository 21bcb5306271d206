/**
 * Takes the links out of a text from outside, and leaves it readable: "https[:]//example.org", "/[/]example.org", "www[.]example.org", "a[@]example.org". VS Code
 * makes a link of a bare address in Markdown, in documents and in the log, and of `[words](address)` also in notifications, where it may even
 * run a command. What a token or a service is called must not lead anywhere.
 */
export function withoutLinks(text: string): string {
  if (!/[:@]|\/\/|\]\(|www\./i.test(text)) {
    return text;
  }
  return text
    .replace(/\](?=\()/g, '] ')
    .replace(/([a-z][a-z\d+.-]*):(?=\/\/)/gi, '$1[:]')
    // Without a scheme it is one in rendered Markdown.
    .replace(/(?<![\w:\]/])\/\/(?=\w)/g, '/[/]')
    .replace(/\b(command|file|mailto|vscode(?:-insiders)?|data|javascript):(?=\S)/gi, '$1[:]')
    .replace(/\b(www)\.(?=\S)/gi, '$1[.]')
    .replace(/([\w.+-])@(?=[\w-]+\.\w)/g, '$1[@]');
}
