/** For the pages: the caller, and where a visitor signs in. */
export default defineEventHandler((event) => {
  const caller = auth.findCaller(event)
  const { returnTo = '/' } = getQuery(event)
  return { name: caller?.user.name ?? null, signInUrl: auth.signInUrl(event, String(returnTo)) }
})
