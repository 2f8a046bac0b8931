// First: the files below use it.
import './own-react.ts'

import { type ComponentType, type ReactNode, useRef } from 'react'
import { createPortal } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import type { ElementKind } from '../../../worker/kit/embedded-elements.ts'
import type { Appearance } from '../components/appearance.ts'
import {
  ApiKeys,
  CreateOrganization,
  GatehouseProvider,
  OrganizationProfile,
  OrganizationSwitcher,
  PricingTable,
  SignIn,
  SignUp,
  UserButton,
  UserProfile,
} from '../components/components.tsx'
import { type ComponentUser, gatehouseContext, useShared } from '../components/shared.ts'
import type { EmbeddedElement, EmbedSettings } from './types.ts'

const components: Record<ElementKind, ComponentType<Record<string, string>>> = {
  'sign-in': SignIn,
  'sign-up': SignUp,
  'user-button': UserButton,
  'user-profile': UserProfile,
  'organization-switcher': OrganizationSwitcher,
  'organization-profile': OrganizationProfile,
  'create-organization': CreateOrganization,
  'api-keys': ApiKeys,
  'pricing-table': PricingTable,
}

interface Shown {
  /** The URL of the API. */
  api: string
  elements: EmbeddedElement[]
  settings: EmbedSettings
}

let root: Root | undefined

/** Renders all elements of the page in one tree: they share the session, the texts and the dialogs. */
export function show(shown: Shown): void {
  if (!root) {
    const host = document.createElement('div')
    document.body.append(host)
    root = createRoot(host)
  }
  root.render(<Embedded {...shown} />)
}

function Embedded({ api, elements: present, settings }: Shown) {
  const listeners = useRef(present)
  listeners.current = present
  const user = useRef<ComponentUser | null>(null)
  const [language] = present.flatMap((element) => element.getAttribute('language') ?? [])
  function announce(next: ComponentUser | null) {
    const before = user.current
    user.current = next
    if (next === null && before === null) return
    const type = next ? (before ? 'user-changed' : 'signed-in') : 'signed-out'
    for (const target of [...listeners.current, document]) target.dispatchEvent(new CustomEvent(type, { detail: next }))
  }
  return (
    <GatehouseProvider
      {...settings}
      baseURL={api}
      localization={language ? { ...settings.localization, language } : settings.localization}
      onSessionChange={announce}
    >
      {present.map((element) => (
        <Placed key={keyOf(element)} element={element} />
      ))}
    </GatehouseProvider>
  )
}

const keys = new WeakMap<EmbeddedElement, number>()
let count = 0

/** What the page has written into the element is shown until here. */
function keyOf(element: EmbeddedElement): number {
  const known = keys.get(element)
  if (known !== undefined) return known
  element.replaceChildren()
  keys.set(element, ++count)
  return count
}

function Placed({ element }: { element: EmbeddedElement }) {
  const Component = components[element.kind]
  const given = element.names.flatMap((name) => {
    const value = element.getAttribute(name)
    return value === null ? [] : [[camel(name), value]]
  })
  return createPortal(
    <WithAppearance appearance={appearanceOf(element)}>
      <Component {...Object.fromEntries(given)} />
    </WithAppearance>,
    element,
  )
}

const camel = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

function appearanceOf(element: EmbeddedElement): Appearance {
  const theme = element.getAttribute('theme') as Appearance['theme'] | null
  const text = element.getAttribute('appearance')
  let own: Appearance = {}
  try {
    if (text) own = { variables: JSON.parse(text) as Appearance['variables'] }
  } catch {
    console.error('Gatehouse: the attribute `appearance` is an object as JSON, such as {"accent":"#0f766e"}')
  }
  return theme ? { ...own, theme } : own
}

/** The page's appearance with that of one element. */
function WithAppearance({ appearance, children }: { appearance: Appearance; children: ReactNode }) {
  const { settings, runtime } = useShared()
  const variables = { ...settings.appearance?.variables, ...appearance.variables }
  const merged = { ...settings, appearance: { ...settings.appearance, ...appearance, variables } }
  const Context = gatehouseContext()
  return <Context.Provider value={{ settings: merged, runtime }}>{children}</Context.Provider>
}
