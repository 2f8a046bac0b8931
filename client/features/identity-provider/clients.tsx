import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useAddressed } from '../../lib/address.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { toldApart } from '../../lib/told-apart.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Cut } from '../../ui/cut.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge, CopyButton } from '../../ui/small.tsx'
import { EmptyState, Loaded, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ClientFields, Credentials, linesOf, RegisterClient, refusals, useCheck } from './register-client.tsx'
import { identityProviderTexts } from './texts.ts'

type OwnClient = AnswerOf<'/oauth2/clients'>[number]

const refresh = () => refreshQueries('oauthClients')
const discovery = () => `${location.origin}/.well-known/openid-configuration`

export default function Clients() {
  const t = useTexts(identityProviderTexts)
  const clients = useQuery(['oauthClients'], () => auth.oauth2.clients())
  const columns = useColumns(clients.data ?? [])
  const [registering, setRegistering] = useAddressed('register')
  const register = (
    <Button look="primary" onClick={() => setRegistering(true)}>
      {t.register}
    </Button>
  )
  return (
    <Page wide title={t.clientsTitle} intro={t.clientsIntro} actions={(clients.data?.length ?? 0) > 0 && register}>
      <Loaded
        of={clients}
        skeleton={<Skeleton lines={4} />}
        empty={<EmptyState action={register}>{t.noClients}</EmptyState>}
      >
        {(rows) => (
          <Section>
            <Table caption={t.clientsTitle} columns={columns} rows={rows} rowKey={({ clientId }) => clientId} />
          </Section>
        )}
      </Loaded>
      <RegisterClient open={registering} onClose={() => setRegistering(false)} onRegistered={refresh} />
      <div className="flex flex-wrap items-center gap-x-4">
        <a className="link inline-flex min-h-10 items-center" href={discovery()}>
          {t.discovery}
        </a>
        <CopyButton text={discovery()} />
      </div>
    </Page>
  )
}

function useColumns(list: readonly OwnClient[]): Column<OwnClient>[] {
  const t = useTexts(identityProviderTexts)
  const labelOf = toldApart(list, ({ name, clientId }) => ({ name, mark: `${clientId.slice(0, 6)}…` }))
  return [
    {
      key: 'name',
      label: t.name,
      lead: true,
      cell: ({ name, clientId }) => (
        <span className="grid gap-0.5 text-start">
          <Cut className="font-medium sm:max-w-64">{name}</Cut>
          <code dir="ltr" className="truncate font-mono text-xs text-soft sm:max-w-64" title={clientId}>
            {clientId}
          </code>
        </span>
      ),
    },
    {
      key: 'redirects',
      label: t.redirectURLs,
      cell: ({ redirectURLs }) => (
        <span className="grid grid-cols-1 gap-0.5 text-sm">
          {redirectURLs.map((url) => (
            <Cut key={url} className="sm:max-w-80">
              {url}
            </Cut>
          ))}
        </span>
      ),
    },
    {
      key: 'state',
      label: t.status,
      cell: ({ disabled }) => (disabled ? <Badge tone="danger">{t.off}</Badge> : <Badge tone="success">{t.on}</Badge>),
    },
    { key: 'since', label: t.since, cell: ({ createdAt }) => <Time date={createdAt} /> },
    {
      key: 'actions',
      label: '',
      align: 'end',
      menu: true,
      cell: (client) => <Actions client={client} label={labelOf(client)} />,
    },
  ]
}

function Actions({ client, label }: { client: OwnClient; label: string }) {
  const t = useTexts(identityProviderTexts)
  const [editing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { clientId, name, disabled } = client
  const toggle = useAction(
    () => auth.oauth2.updateClient({ clientId, disabled: !disabled }),
    () => {
      toast(disabled ? t.enabled(name) : t.disabled(name))
      refresh()
    },
  )
  const hasSecret = client.authenticationMethod.startsWith('client_secret')
  return (
    <span className="ms-auto">
      <ConfirmDestroy
        title={t.deleteQuestion(label)}
        action={t.delete}
        phrase={name}
        errors={t.errors}
        send={() => auth.oauth2.deleteClient({ clientId })}
        done={() => {
          toast(t.removed(name))
          refresh()
        }}
        trigger={(askRemove) => (
          <ConfirmDestroy
            title={t.rotateQuestion(label)}
            action={t.rotate}
            errors={t.errors}
            send={() => auth.oauth2.rotateClientSecret({ clientId })}
            done={({ clientSecret }) => setSecret(clientSecret)}
            trigger={(askRotate) => (
              <Menu label={t.actionsFor(label)}>
                <MenuButton onClick={() => setEditing(true)}>{t.edit}</MenuButton>
                {hasSecret && <MenuButton onClick={askRotate}>{t.rotate}</MenuButton>}
                <MenuButton onClick={toggle.run}>{disabled ? t.enable : t.disable}</MenuButton>
                <MenuButton danger onClick={askRemove}>
                  {t.delete}
                </MenuButton>
              </Menu>
            )}
          >
            {t.rotateWhat}
          </ConfirmDestroy>
        )}
      >
        {t.removeWhat}
      </ConfirmDestroy>
      <Dialog open={editing} title={t.editOne(label)} onClose={() => setEditing(false)}>
        <EditClient client={client} close={() => setEditing(false)} />
      </Dialog>
      <Dialog open={secret !== null} title={name} keep onClose={() => setSecret(null)}>
        <Credentials clientId={clientId} secret={secret ?? ''} onDone={() => setSecret(null)} />
      </Dialog>
    </span>
  )
}

function EditClient({ client, close }: { client: OwnClient; close(): void }) {
  const t = useTexts(identityProviderTexts)
  const form = useForm({
    fields: ['name', 'redirectURLs'],
    check: useCheck(),
    send: ({ name, redirectURLs }) =>
      auth.oauth2.updateClient({
        clientId: client.clientId,
        name: name.trim(),
        redirectURLs: linesOf(redirectURLs),
      }),
    ...refusals,
    errors: t.errors,
    done: () => {
      toast(t.saved)
      refresh()
      close()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <ClientFields field={form.field} name={client.name} redirectURLs={client.redirectURLs} />
      <Submit form={form} onCancel={close}>
        {t.save}
      </Submit>
    </form>
  )
}
