/** Vite gives the text of a file that is imported so. */
declare module '*?raw' {
  const text: string
  export default text
}

interface ImportMeta {
  /** Vite's: the modules whose files fit. */
  glob<Module>(pattern: string, options: { eager: true }): Record<string, Module>
}
