import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Section } from '../../ui/section.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type SetupLink, useManager } from './manager.ts'
import { ssoTexts } from './texts.ts'

/** The set-up link of the organization: created, shown once, revoked. */
export function SetupLinkSection({ organizationId, link }: { organizationId: string; link: SetupLink }) {
  const t = useTexts(ssoTexts)
  const language = useLanguage()
  const { refresh } = useManager()
  const [shown, setShown] = useState<{ url: string; expiresAt: Date } | null>(null)
  const create = useAction(
    () => auth.sso.createSetupLink({ organizationId }),
    (created) => {
      setShown(created)
      refresh()
    },
  )
  const dayOf = (date: Date) => date.toLocaleDateString(language, { dateStyle: 'long' })
  return (
    <Section id="setup-link" title={t.link} intro={t.linkIntro}>
      {link && (
        <p>
          {t.linkActive(dayOf(link.expiresAt))}{' '}
          <span className="text-soft">
            {link.lastUsedAt ? (
              <>
                {t.linkUsed}: <Time date={link.lastUsedAt} />
              </>
            ) : (
              t.linkUnused
            )}
          </span>
        </p>
      )}
      {create.error && <ErrorPanel error={create.error} errors={t.errors} />}
      <div className="flex flex-wrap gap-3">
        <Button busy={create.busy} onClick={create.run}>
          {link ? t.replaceLink : t.createLink}
        </Button>
        {link && (
          <ConfirmDestroy
            title={t.revokeLinkQuestion}
            action={t.revokeLink}
            errors={t.errors}
            send={() => auth.sso.revokeSetupLink({ organizationId })}
            done={() => {
              toast(t.linkRevoked)
              refresh()
            }}
          >
            {t.revokeLinkWhat}
          </ConfirmDestroy>
        )}
      </div>
      <ShownOnce
        shown={
          shown && {
            title: t.linkTitle,
            intro: t.linkOnce(dayOf(shown.expiresAt)),
            values: [{ label: t.link, text: shown.url, copy: t.copyLink }],
            done: t.linkDone,
          }
        }
        onClose={() => setShown(null)}
      />
    </Section>
  )
}
