/** Vite gives the text of a file that is imported so. */
declare module '*?raw' {
  const text: string
  export default text
}
