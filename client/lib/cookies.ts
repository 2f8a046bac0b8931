import { createStore } from './store.ts'

/** Whether this document has signed in and has not read the session since: then the browser refuses cookies. */
export const signingIn = createStore(false)

export const cookiesAreOff = (): boolean => navigator.cookieEnabled === false
