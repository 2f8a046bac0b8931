// The functions of frameworks that adapters import. The frameworks are dependencies of the products and not of this package.

declare module 'next/headers' {
  export function headers(): Promise<Headers>
}

declare module 'next/navigation' {
  export function redirect(url: string): never
  export function forbidden(): never
  export function unauthorized(): never
}

declare module 'next/server' {
  export const NextResponse: { next(init: { request: { headers: Headers } }): Response }
}

declare module '@tanstack/react-router' {
  export function redirect(options: { href: string; statusCode: number }): Response
}

declare module '@tanstack/react-start' {
  // The parameters are those of the framework, which computes the types of contexts from them.
  export interface RequestServerResult<_Register, _Middlewares, Context> {
    context: Context
    response: Response
  }
  export interface RequestServerOptions<Register, Middlewares> {
    request: Request
    next<Context>(options: {
      context: Context
    }):
      | RequestServerResult<Register, Middlewares, Context>
      | Promise<RequestServerResult<Register, Middlewares, Context>>
  }
}

declare module '@tanstack/react-start/server' {
  export function getRequest(): Request
  export function getResponseHeader(name: string): string | undefined
  export function setResponseHeader(name: string, value: string): void
  export function appendResponseHeader(name: string, value: string): void
  export function setResponseStatus(status: number): void
}
