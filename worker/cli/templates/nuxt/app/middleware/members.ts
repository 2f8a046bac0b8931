/** Leads visitors to the sign-in page. The data of a page are protected by the server. */
export default defineNuxtRouteMiddleware(async (to) => {
  const { name, signInUrl } = await useRequestFetch()('/api/caller', { query: { returnTo: to.fullPath } })
  if (name === null) return navigateTo(signInUrl, { external: true })
})
