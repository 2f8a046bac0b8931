/** Identifies the caller of every request. */
export default defineEventHandler(auth.session())
