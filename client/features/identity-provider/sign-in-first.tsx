import { Redirect } from 'wouter'

/** Visitors sign in, and come back to the same page. */
export const SignInFirst = () => (
  <Redirect to={`/sign-in?callbackURL=${encodeURIComponent(location.pathname + location.search)}`} replace />
)
