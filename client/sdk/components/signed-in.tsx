import type { ReactNode } from 'react'
import { auth, config } from '../../lib/api.ts'
import { useView } from '../../lib/auth/use-view.ts'
import { useShared } from './shared.ts'
import { isLocalPage, Unreached } from './unreached.tsx'

export interface SignedInProps {
  children: ReactNode
}

/** @param isIn renders the children for a signed-in user, else for a visitor */
export default function SessionGate({ isIn, children }: SignedInProps & { isIn: boolean }) {
  const { data, isPending, error } = auth.useSession()
  const { error: unreached } = useView(config)
  const { runtime } = useShared()
  if (isIn) return data && children
  // Otherwise the page of a developer would be empty.
  if (error && unreached && runtime && isLocalPage()) {
    return (
      <runtime.InRoot>
        <Unreached error={unreached} />
      </runtime.InRoot>
    )
  }
  // Without an answer nothing is known.
  return !data && !isPending && !error && children
}
