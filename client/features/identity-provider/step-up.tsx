import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useLoad } from '../../lib/auth/use-view.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { leave } from '../../lib/leave.ts'
import { askToStepUp } from '../../lib/step-up.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { stepUpTexts } from '../step-up/texts.ts'
import { identityProviderTexts } from './texts.ts'

const readWays = () => auth.stepUp.methods()

const key = 'step-up-asked'

/** Without storage, nothing was stored. */
function forget(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {}
}

/**
 * Whether the user has returned from a provider with a new authentication, compared with the one at the first visit of
 * this page. Without storage the user presses the button again.
 */
function cameBack({ authenticatedAt }: AnswerOf<'/step-up/methods'>): boolean {
  try {
    const before = sessionStorage.getItem(key)
    const now = String(authenticatedAt.getTime())
    sessionStorage.setItem(key, now)
    return before !== null && before !== now
  } catch {
    return false
  }
}

/** An application requires a recent or stronger authentication of the signed-in user. */
export default function StepUp() {
  const t = useTexts(identityProviderTexts)
  const { title } = useTexts(stepUpTexts)
  const { path } = useContinuation()
  /** The pending authorization, or the account. */
  function goOn() {
    forget()
    leave(path ?? '/account/profile', { replace: true })
  }
  const found = useLoad(async () => {
    const ways = await readWays()
    if (!ways.data || !cameBack(ways.data)) return ways
    goOn()
    return new Promise<never>(() => undefined)
  })
  const application = useLoad(() => auth.oauth2.loginPrompt()).data?.client?.name
  const confirm = useAction(readWays, async ({ methods }) => {
    if (await askToStepUp({ status: 403, statusText: '', methods })) goOn()
  })
  return (
    <Page title={title} intro={application ? t.stepUpFor(application) : t.stepUpIntro}>
      <Section>
        <Loaded of={found} skeleton={<Skeleton lines={2} />}>
          {() => (
            <div className="grid max-w-sm gap-3">
              {confirm.error && <ErrorPanel error={confirm.error} />}
              <Button look="primary" wide busy={confirm.busy} onClick={() => confirm.run()}>
                {t.confirm}
              </Button>
              <ButtonLink to="/account/profile" wide>
                {t.notNow}
              </ButtonLink>
            </div>
          )}
        </Loaded>
      </Section>
    </Page>
  )
}
