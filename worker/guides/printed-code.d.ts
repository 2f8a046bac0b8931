declare module '*.md#1.ts' {
  export const config: import('../configuration/read-config.ts').Config
}
declare module '*.md#2.ts' {
  export const config: import('../configuration/read-config.ts').Config
}
declare module '*.md#3.ts' {
  const handler: { fetch(request: Request, env: object): Promise<Response> }
  export default handler
}
declare module '*verify-tokens.md#4.ts' {
  export function stepUpChallenge(
    token: { active: boolean; acr?: string; auth_time?: number },
    required: { acrValues?: string[]; maxAge?: number },
  ): Response | null
}
declare module '*oauth-client.md#2.ts' {}
declare module 'configuration-of-init' {
  export const config: import('../configuration/read-config.ts').Config
}
