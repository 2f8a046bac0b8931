import { auth } from './auth'

/** Sets the refreshed cookies, and refuses visitors before a page is rendered. */
export const proxy = auth.proxy({ '/members': {}, '/tasks': {} })

export const config = { matcher: ['/((?!_next/static|_next/image|favicon.ico).*)'] }
