import { auth } from './auth'

/** Identifies the caller of every request. */
export const onRequest = auth.session()
