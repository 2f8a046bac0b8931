import { Redirect } from 'wouter'

/** A screen that leads to where its content is now; what its query says goes along. */
export const movedTo = (to: string) => () => <Redirect to={to.replace('#', `${location.search}#`)} replace />
