import { auth } from './auth.server'

/** Identifies the caller of every request. */
export const handle = auth.session()
