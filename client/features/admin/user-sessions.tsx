import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/types.ts'
import { unwrap } from '../../lib/call-error.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type ManagedUser, nameOf } from './rights.ts'
import { adminTexts } from './texts.ts'

type Session = AnswerOf<'/admin/list-user-sessions'>['sessions'][number]

interface UserSessionsProps {
  user: ManagedUser
  mayRevoke: boolean
  refresh(): void
}

/** Where somebody is signed in. */
export function UserSessions({ user, mayRevoke, refresh }: UserSessionsProps) {
  const t = useTexts(adminTexts)
  const sessions = useQuery({
    queryKey: ['adminSessions', user.id],
    queryFn: () => unwrap(auth.admin.listUserSessions({ userId: user.id })),
  })
  return (
    <Loaded of={sessions} errors={t.errors} skeleton={<Skeleton lines={3} />}>
      {({ sessions: list }) =>
        list.length === 0 ? (
          <p className="text-soft">{t.noSessions}</p>
        ) : (
          <>
            <ul className="grid gap-4">
              {list.map((session) => (
                <SessionRow key={session.id} session={session} mayRevoke={mayRevoke} refresh={refresh} />
              ))}
            </ul>
            {mayRevoke && (
              <div>
                <ConfirmDestroy
                  title={t.endAllQuestion(nameOf(user))}
                  action={t.endAll}
                  errors={t.errors}
                  send={() => auth.admin.revokeUserSessions({ userId: user.id })}
                  done={() => {
                    toast(t.ended)
                    refresh()
                  }}
                >
                  {t.endAllWhat}
                </ConfirmDestroy>
              </div>
            )}
          </>
        )
      }
    </Loaded>
  )
}

function SessionRow({ session, mayRevoke, refresh }: { session: Session; mayRevoke: boolean; refresh(): void }) {
  const t = useTexts(adminTexts)
  const { device: known } = session
  const device =
    known?.browser && known.os
      ? t.browserOn(known.browser, known.os)
      : known?.browser || known?.os || session.userAgent || t.unknownDevice
  const end = useAction(
    () => auth.admin.revokeUserSession({ sessionToken: session.token }),
    () => {
      toast(t.ended)
      refresh()
    },
  )
  return (
    <li className="grid gap-3 border-b pb-4 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-48">
          <p className="flex flex-wrap items-center gap-2">
            <span className="line-clamp-2 wrap-anywhere">{device}</span>
            {session.impersonatedBy !== null && <Badge tone="accent">{t.impersonated}</Badge>}
          </p>
          <p className="text-sm text-soft">
            {session.ipAddress && <>{session.ipAddress} · </>}
            <Time date={session.createdAt} />
          </p>
        </div>
        {mayRevoke && (
          <Button busy={end.busy} aria-label={t.endOne(device)} onClick={() => end.run()}>
            {t.endSession}
          </Button>
        )}
      </div>
      {end.error && <ErrorPanel error={end.error} errors={t.errors} />}
    </li>
  )
}
