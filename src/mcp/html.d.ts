/** A page as text: the bundler inlines it. */
declare module '*.html' {
  const text: string;
  export default text;
}
