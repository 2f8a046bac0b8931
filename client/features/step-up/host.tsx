import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { auth, useMember } from '../../lib/api.ts'
import { stepUpHost, stepUpRequest } from '../../lib/step-up.ts'
import { unsavedForms } from '../../lib/unsaved.ts'
import { isKept, keepTyped } from './stored-input.ts'

const StepUpDialog = lazy(() => import('./dialog.tsx'))
const Returned = lazy(() => import('./returned.tsx'))
const KeptInput = lazy(() => import('./kept-input.tsx'))

/** The dialog in the signed-in frame. Its code is loaded with the first operation that requires it. */
export function StepUp() {
  const request = stepUpRequest.use()
  const wanted = useRef(false)
  wanted.current ||= request !== null
  const [location] = useLocation()
  useEffect(() => {
    stepUpHost.isShown = true
    return () => {
      stepUpHost.isShown = false
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another screen nothing waits for the operation
  useEffect(() => () => stepUpRequest.get()?.settle(false), [location])
  return (
    wanted.current && (
      <Suspense>
        <StepUpDialog request={request} />
      </Suspense>
    )
  )
}

/** Keeps what was typed into guarded forms when the session ends, and restores it after the user's next sign-in. */
export function TypedInput() {
  const { user } = useMember()
  const [kept] = useState(() => isKept('session-end'))
  // Its end runs while the forms are still there.
  useLayoutEffect(
    () => () => {
      if (!auth.$session.get().data) keepTyped(user.id, unsavedForms())
    },
    [user.id],
  )
  return (
    kept && (
      <Suspense>
        <KeptInput />
      </Suspense>
    )
  )
}

/** Above the page: the result of a step-up at a provider. */
export function StepUpReturn() {
  const [kept] = useState(() => isKept('step-up'))
  return (
    kept && (
      <Suspense>
        <Returned />
      </Suspense>
    )
  )
}
