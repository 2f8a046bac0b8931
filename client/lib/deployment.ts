interface Deployment {
  /** The URL of the API. */
  api: string
  /** The origin of the hosted screens; '' for the app, which is one of them. */
  origin: string
  /** Of the keys in the browser's storage. */
  storage: string
  /** @returns whether it has opened the address, in place of the browser */
  open?(href: string): boolean
}

/** The deployment that this page calls. Components in a page of another product change it (sdk/components). */
export const deployment: Deployment = {
  api: '/api/auth',
  origin: '',
  storage: '',
}

/** The origin of this page. */
export const ownOrigin = (): string => (globalThis.location ?? deployment).origin

/** The address of a hosted screen. */
export const hosted = (path: string): string => new URL(path, deployment.origin || location.origin).href
