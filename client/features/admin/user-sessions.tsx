import { ChevronDown, LogOut } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf, User } from '../../lib/auth/endpoints.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Cut } from '../../ui/cut.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useDeviceName } from '../session/labels.ts'
import { nameOf, refreshUser } from './rights.ts'
import { adminTexts } from './texts.ts'

/** The number of sessions that are shown first. */
const newest = 5

type Session = AnswerOf<'/admin/list-user-sessions'>['sessions'][number]

export const useUserSessions = (userId: string, enabled = true) =>
  useQuery(['adminSessions', userId], () => auth.admin.listUserSessions({ userId }), enabled)

export function UserSessions({ user, mayRevoke }: { user: User; mayRevoke: boolean }) {
  const t = useTexts(adminTexts)
  const { showMore } = useTexts()
  const [all, setAll] = useState(false)
  const sessions = useUserSessions(user.id)
  return (
    <Loaded
      of={{ ...sessions, data: sessions.data?.sessions ?? null }}
      errors={t.errors}
      empty={t.noSessions}
      skeleton={<Skeleton lines={3} />}
    >
      {(list) => (
        <>
          <ul className="grid gap-3">
            {list.slice(0, all ? undefined : newest).map((session) => (
              <SessionRow key={session.id} session={session} mayRevoke={mayRevoke} />
            ))}
          </ul>
          {!all && list.length > newest && (
            <Button look="quiet" className="-ms-4 justify-self-start" onClick={() => setAll(true)}>
              <ChevronDown aria-hidden size={17} />
              {showMore(list.length - newest)}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}

/** At the head of the section. */
export function EndSessions({ user }: { user: User }) {
  const t = useTexts(adminTexts)
  const sessions = useUserSessions(user.id)
  if (!sessions.data?.sessions.length) return null
  return (
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
    <li className="grid gap-3 border-b pb-3 last:border-b-0 last:pb-0">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
        <div className="min-w-0">
          <p className="flex items-center gap-2">
            <Cut words={session.device !== null}>{device}</Cut>
            {session.impersonatedBy !== null && <Badge tone="accent">{t.impersonated}</Badge>}
          </p>
          <p className="text-sm text-soft">
            {session.ipAddress && <>{session.ipAddress} · </>}
            <Time date={session.createdAt} />
          </p>
        </div>
        {mayRevoke && (
          <IconButton label={t.endOne(device)} aria-busy={end.busy || undefined} onClick={() => end.run()}>
            <LogOut aria-hidden size={18} />
          </IconButton>
        )}
      </div>
      {end.error && <ErrorPanel error={end.error} errors={t.errors} />}
    </li>
  )
}
