declare module '*.md#1.ts' {
  export const config: import('../read-config.ts').Config
}
declare module '*.md#2.ts' {
  export const config: import('../read-config.ts').Config
}
declare module '*.md#3.ts' {
  const handler: { fetch(request: Request, env: object): Promise<Response> }
  export default handler
}
