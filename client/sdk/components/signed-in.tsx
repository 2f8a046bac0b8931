import type { ReactNode } from 'react'
import { auth } from '../../lib/api.ts'

export interface SignedInProps {
  children: ReactNode
}

/** @param isIn renders the children for a signed-in user, else for a visitor */
export default function SessionGate({ isIn, children }: SignedInProps & { isIn: boolean }) {
  const { data, isPending, error } = auth.useSession()
  if (isIn) return data && children
  // Without an answer nothing is known.
  return !data && !isPending && !error && children
}
