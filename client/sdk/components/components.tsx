import './components.css'
import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useEffect, useState } from 'react'
import { deployment } from '../../lib/deployment.ts'
import type { CreateOrganizationProps } from './create-organization.tsx'
import { setElementClasses } from './jsx/jsx-runtime.ts'
import type { OrganizationProfileProps } from './organization-profile.tsx'
import type { OrganizationSwitcherProps } from './organization-switcher.tsx'
import type { ProtectProps } from './protect.tsx'
import { type GatehouseProviderProps, gatehouseContext, type Runtime, useShared } from './shared.ts'
import type { SignedInProps } from './signed-in.tsx'
import type { UserButtonProps } from './user-button.tsx'
import type { UserProfileProps } from './user-profile.tsx'
import type { VisitorFlowProps } from './visitor-flow.tsx'

export type { ElementName } from '../../../worker/kit/elements.ts'
export type { Permissions } from '../../../worker/kit/permissions.ts'
export type { Appearance, AppearanceVariables } from './appearance.ts'
export type { ComponentLanguage, ComponentUser, GatehouseProviderProps, Localization } from './shared.ts'

// A page of another product has one origin for several purposes: its own keys stay apart.
deployment.storage = 'gatehouse:'

/** Once around all components of a page. A page uses one deployment. */
export function GatehouseProvider(settings: GatehouseProviderProps) {
  const [runtime, setRuntime] = useState<Runtime | null>(null)
  const { baseURL, localization, appearance } = settings
  const texts = JSON.stringify(localization?.texts)
  setElementClasses(appearance ?? {})
  // biome-ignore lint/correctness/useExhaustiveDependencies: `texts` is the content of the object
  useEffect(() => {
    let isGone = false
    async function load() {
      const loaded = await import('./runtime.tsx')
      await loaded.start(baseURL, localization)
      if (!isGone) setRuntime(loaded)
    }
    void load()
    return () => {
      isGone = true
    }
  }, [baseURL, localization?.language, texts])
  const Context = gatehouseContext()
  return (
    <Context.Provider value={{ settings, runtime }}>
      {settings.children}
      {runtime && <runtime.Shell settings={settings} />}
    </Context.Provider>
  )
}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

/** What has been loaded, by the function that loads it. Like the context, it is made when it is first needed. */
const later = new Map<unknown, unknown>()

function loadedBy<Props>(load: Load<Props>): LazyExoticComponent<ComponentType<Props>> {
  if (!later.has(load)) later.set(load, lazy(load))
  return later.get(load) as LazyExoticComponent<ComponentType<Props>>
}

/** A component whose code is loaded in the browser. Until then its place is empty, as it is on the server. */
function component<Props extends object>(load: Load<Props>, inline = false) {
  return function GatehouseComponent(props: Props) {
    const { runtime } = useShared()
    const Loaded = loadedBy(load)
    useEffect(() => {
      // Together with the runtime. A failure is shown when the component is rendered.
      load().catch(() => undefined)
    }, [])
    if (!runtime) return null
    return (
      <runtime.InRoot inline={inline}>
        <runtime.Guard>
          <Suspense>
            <Loaded {...props} />
          </Suspense>
        </runtime.Guard>
      </runtime.InRoot>
    )
  }
}

/** The same without an element of its own, for what decides about parts of the page. */
function gate<Props extends object>(load: Load<Props>) {
  return function GatehouseGate(props: Props) {
    const { runtime } = useShared()
    const Loaded = loadedBy(load)
    return (
      runtime && (
        <Suspense>
          <Loaded {...props} />
        </Suspense>
      )
    )
  }
}

/** The sign-in, with the second factor, codes, links and the forgotten password. It is empty for a signed-in user. */
export const SignIn = component<VisitorFlowProps>(() => import('./sign-in.tsx'))
export const SignUp = component<VisitorFlowProps>(() => import('./sign-up.tsx'))
/** The picture of the signed-in user, with the menu of the account. Empty for a visitor, as all following ones. */
export const UserButton = component<UserButtonProps>(() => import('./user-button.tsx'), true)
/** Profile and security. */
export const UserProfile = component<UserProfileProps>(() => import('./user-profile.tsx'))
export const OrganizationSwitcher = component<OrganizationSwitcherProps>(
  () => import('./organization-switcher.tsx'),
  true,
)
/** Settings, members, invitations, teams and roles of the active organization. */
export const OrganizationProfile = component<OrganizationProfileProps>(() => import('./organization-profile.tsx'))
export const CreateOrganization = component<CreateOrganizationProps>(() => import('./create-organization.tsx'))
export const ApiKeys = component<object>(() => import('./api-keys.tsx'))
/** The configured products with their prices and a checkout. */
export const PricingTable = component<object>(() => import('./pricing-table.tsx'))
/** Renders its children if the signed-in user has the rights. It decides what the page shows, and protects no data. */
export const Protect = gate<ProtectProps>(() => import('./protect.tsx'))

const SessionGate = gate<SignedInProps & { isIn: boolean }>(() => import('./signed-in.tsx'))

/** Renders its children for a signed-in user; nothing until the session is known. */
export function SignedIn(props: SignedInProps) {
  return <SessionGate {...props} isIn />
}

/** Renders its children for a visitor; nothing until the session is known. */
export function SignedOut(props: SignedInProps) {
  return <SessionGate {...props} isIn={false} />
}
