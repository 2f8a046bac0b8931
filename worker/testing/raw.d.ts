/** The text of a file that is imported in this form (Vite). */
declare module '*?raw' {
  const text: string
  export default text
}

interface ImportMeta {
  /** Vite's import of all matching modules. */
  glob<Module>(pattern: string, options: { eager: true }): Record<string, Module>
}
