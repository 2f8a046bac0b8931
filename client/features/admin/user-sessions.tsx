import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf, User } from '../../lib/auth/endpoints.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useDeviceName } from '../session/labels.ts'
import { nameOf, refreshUser } from './rights.ts'
import { adminTexts } from './texts.ts'

type Session = AnswerOf<'/admin/list-user-sessions'>['sessions'][number]

export function UserSessions({ user, mayRevoke }: { user: User; mayRevoke: boolean }) {
  const t = useTexts(adminTexts)
  const sessions = useQuery(['adminSessions', user.id], () => auth.admin.listUserSessions({ userId: user.id }))
  return (
    <Loaded
      of={{ ...sessions, data: sessions.data?.sessions ?? null }}
      errors={t.errors}
      empty={t.noSessions}
      skeleton={<Skeleton lines={3} />}
    >
      {(list) => (
        <>
          <ul className="grid gap-4">
            {list.map((session) => (
              <SessionRow key={session.id} session={session} mayRevoke={mayRevoke} />
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
                  refreshUser()
                }}
              >
                {t.endAllWhat}
              </ConfirmDestroy>
            </div>
          )}
        </>
      )}
    </Loaded>
  )
}

function SessionRow({ session, mayRevoke }: { session: Session; mayRevoke: boolean }) {
  const t = useTexts(adminTexts)
  const device = useDeviceName(session.device, session.userAgent || t.unknownDevice)
  const end = useAction(
    () => auth.admin.revokeUserSession({ sessionToken: session.token }),
    () => {
      toast(t.ended)
      refreshUser()
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
