import { Plus } from 'lucide-react'
import { useAddressed } from '../../lib/address.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { administratorMay } from '../../lib/permissions.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { Loaded } from '../../ui/state.tsx'
import { ResourceDialog, useEditedResource } from './resource-dialog.tsx'
import { type ResourceCalls, ResourceTable } from './resource-table.tsx'
import { resourceTexts } from './resources.texts.ts'
import { CreateService } from './service-form.tsx'
import { ServiceTable } from './service-table.tsx'
import { serviceTexts } from './services.texts.ts'

const refresh = () => void refreshQueries('resources', 'adminAudit')

/** The resource servers and services, for administrators. */
export default function Resources() {
  const t = useTexts(resourceTexts)
  const s = useTexts(serviceTexts)
  const roles = useConfig().admin?.roles ?? {}
  const role = useMember().user.role ?? ''
  const may = (type: 'resource' | 'service', action: string) => administratorMay(roles, role, { [type]: [action] })
  const overview = useQuery(['resources'], () => auth.admin.listResources())
  const edited = useEditedResource()
  const [creating, setCreating] = useAddressed('create-service')
  const calls: ResourceCalls = {
    change: edited.open,
    delete: (id) => auth.admin.deleteResource({ id }),
    changed: refresh,
    mayChange: ({ organization }) => organization === null && may('resource', 'update'),
    mayDelete: may('resource', 'delete'),
    ofAll: true,
  }
  const create = may('resource', 'create') && (
    <Button look="primary" onClick={() => edited.open('new')}>
      <Plus aria-hidden size={17} />
      {t.create}
    </Button>
  )
  const createService = may('service', 'create') && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden size={17} />
      {s.create}
    </Button>
  )
  return (
    <Page wide title={t.title} intro={t.intro} actions={create}>
      <Loaded of={overview}>
        {({ resources, services }) => (
          <>
            <Section id="resources" title={t.resources}>
              {resources.length === 0 ? (
                <p className="text-soft">{t.noResources}</p>
              ) : (
                <ResourceTable rows={resources} calls={calls} />
              )}
            </Section>
            <Section id="services" title={t.services} action={createService}>
              {services.length === 0 ? (
                <p className="text-soft">{t.noServices}</p>
              ) : (
                <ServiceTable
                  rows={services}
                  resources={resources}
                  mayChange={may('service', 'update')}
                  mayDelete={may('service', 'delete')}
                  changed={refresh}
                />
              )}
            </Section>
            <CreateService open={creating} resources={resources} created={refresh} onClose={() => setCreating(false)} />
          </>
        )}
      </Loaded>
      <ResourceDialog edited={edited} organizationId={null} changed={refresh} />
    </Page>
  )
}
