export default defineEventHandler({
  onRequest: auth.protect(),
  handler: (event) => ({ name: auth.callerOf(event).user.name, signOutUrl: auth.signOutUrl(event) }),
})
