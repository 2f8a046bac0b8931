import type { ReactNode } from 'react'
import { auth } from '../../lib/api.ts'
import { useShared } from './shared.ts'

export interface SignedInProps {
  children: ReactNode
}

/** @param isIn renders the children for a signed-in user, else for a visitor */
export default function SessionGate({ isIn, children }: SignedInProps & { isIn: boolean }) {
  const { data, isPending, error } = auth.useSession()
  const { runtime } = useShared()
  if (isIn) return data && children
  if (data || isPending) return null
  // Without an answer nothing is known.
  return error ? runtime && <runtime.Unanswered /> : children
}
