import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type AroundNavHandler, matchRoute, Route, Router, useLocation, useRouter } from 'wouter'
import { rulesOf } from '../../../worker/kit/elements.ts'
import { directionOf, languageFor } from '../../../worker/kit/language.ts'
import type { Words } from '../../../worker/kit/texts.ts'
import { ErrorBoundary } from '../../app/error-boundary.tsx'
import { askEarly, auth, config, useConfig } from '../../lib/api.ts'
import { useView } from '../../lib/auth/use-view.ts'
import { cx } from '../../lib/cx.ts'
import { deployment, hosted } from '../../lib/deployment.ts'
import { leave } from '../../lib/leave.ts'
import { type Place, PlaceContext } from '../../lib/place.ts'
import { rootClass } from '../../lib/root.ts'
import type { Screen } from '../../lib/screens.ts'
import { remembered } from '../../lib/store.ts'
import { showLanguage, useLanguage } from '../../lib/texts/texts.ts'
import { toasts } from '../../lib/toasts.ts'
import { askBeforeLeaving } from '../../lib/unsaved.ts'
import { Skeleton } from '../../ui/state.tsx'
import { type Appearance, declarationsOf, styleOf } from './appearance.ts'
import { memoryPlace, pageAddress } from './memory-place.ts'
import { type GatehouseProviderProps, type Localization, useShared } from './shared.ts'
import { useTheme } from './theme.ts'
import { isLocalPage, reportUnreached, Unreached } from './unreached.tsx'

const MemberShell = lazy(() => import('./member-shell.tsx'))
const Toasts = lazy(() => import('../../ui/toasts.tsx'))

/** The settings of the provider on the page. */
let settings: GatehouseProviderProps | undefined

/** `?error=` of this page, if this browser has gone to a provider. Another one is the page's own. */
let returnedError: string | null = null

let asked = false

/** Configures the client, and loads the texts. */
export async function start(baseURL: string, { language, texts }: Localization = {}): Promise<void> {
  deployment.api = new URL(baseURL, location.href).href.replace(/\/$/, '')
  deployment.origin = new URL(deployment.api).origin
  deployment.open = open
  if (!asked) {
    asked = true
    if (remembered.get('begun')) returnedError = new URLSearchParams(location.search).get('error')
    askEarly()
    reportUnreached()
  }
  const wishes = language ? [language] : navigator.languages
  const supported = wishes.map((wish) => languageFor(wish)).find((known) => known !== undefined)
  await showLanguage(supported ?? 'en', texts as Words | undefined)
}

/** Opens an address, by the page's own router where it is one of its addresses. The current page stays. */
function open(href: string): boolean {
  const url = new URL(href)
  const isOwn = url.origin === location.origin
  if (isOwn && href.split('#')[0] === pageAddress().split('#')[0]) return true
  if (!isOwn || !settings?.navigate) return false
  settings.navigate(url.pathname + url.search + url.hash)
  return true
}

/** The address that a link of a component leads to: an own page in place of a hosted one, or the hosted one. */
function addressOf(to: string): string {
  const url = new URL(to, deployment.origin)
  const own = url.origin === deployment.origin ? settings?.pages?.[url.pathname] : undefined
  return own === undefined ? url.href : new URL(own, location.href).href
}

/** The first address of a component for visitors. @param redirectTo an address of the page's origin */
export function startAt(path: string, redirectTo: string | undefined): string {
  const target = redirectTo === undefined ? pageAddress() : new URL(redirectTo, location.href).href
  const error = returnedError === null ? '' : `&error=${encodeURIComponent(returnedError)}`
  return `${path}?callbackURL=${encodeURIComponent(target)}${error}`
}

/** The element that contains a component: the styles apply below it, and nothing else. */
export function Root({ appearance = {}, inline, children }: RootProps) {
  const language = useLanguage()
  const ref = useRef<HTMLDivElement>(null)
  const theme = useTheme(appearance, ref)
  const { brand } = useConfig()
  return (
    <div
      ref={ref}
      data-theme={theme}
      className={cx(rootClass, inline && 'root-inline')}
      style={styleOf(appearance, brand.look)}
      lang={language}
      dir={directionOf(language)}
    >
      {children}
    </div>
  )
}

interface RootProps {
  appearance?: Appearance
  /** Inside of a line or a row, such as a menu in a header. */
  inline?: boolean
  children: ReactNode
}

/**
 * The declarations of elements, as a sheet of the document: the policy of the page need not allow inline styles. A layer is
 * above the stylesheet, whose rules are important without one (CSS Cascade 5, section 6.1).
 */
function useElementRules(appearance: Appearance = {}): void {
  const { brand } = useConfig()
  const rules = rulesOf(
    declarationsOf(appearance, brand.look),
    (name) => `.gh-${rootClass}${name === 'root' ? '' : ` .gh-${name}`}`,
    ' !important',
  )
  useLayoutEffect(() => {
    if (rules === '') return
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`@layer gatehouse-elements { ${rules} }`)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [rules])
}

/** Once on the page: what belongs to no component. */
export function Shell({ settings: given }: { settings: GatehouseProviderProps }) {
  settings = given
  useElementRules(given.appearance)
  const { data, error, isPending } = auth.useSession()
  const user = data?.user
  const announced = useRef(given.onSessionChange)
  announced.current = given.onSessionChange
  const settled = !isPending && !error
  const text = user && JSON.stringify(user)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another object with the same content does not count as a change
  useEffect(() => {
    if (settled) announced.current?.(user ?? null)
  }, [settled, text])
  const toasted = useRef(false)
  if (toasts.use().length > 0) toasted.current = true
  return (
    <Root appearance={given.appearance} inline>
      <Within start="/">
        <Suspense>
          {toasted.current && <Toasts />}
          {data && <MemberShell key={data.user.id} />}
        </Suspense>
      </Within>
    </Root>
  )
}

interface WithinProps {
  /** A path with its query. */
  start: string
  /** The screens of the component; links to others leave it. */
  screens?: Screen[]
  /** Where the component ends: what replaces an address. */
  ends?: Record<string, string | undefined>
  children: ReactNode
}

/** The address of a component, for its links and screens. */
export function Within({ start, screens = [], ends = {}, children }: WithinProps) {
  const [place] = useState<Place>(() => memoryPlace(start))
  const { parser } = useRouter()
  const isInside = (to: string) => {
    const [path = ''] = to.split(/[?#]/)
    return screens.some((screen) => matchRoute(parser, screen.path, path)[0])
  }
  const outside = (to: string) => {
    const end = ends[to]
    return end === undefined ? addressOf(to) : new URL(end, location.href).href
  }
  const aroundNav: AroundNavHandler = (navigate, to, options) =>
    askBeforeLeaving((to, options) => (isInside(to) ? navigate(to, options) : leave(outside(to), options)), to, options)
  return (
    <PlaceContext.Provider value={place}>
      <Router
        hook={place.hook}
        searchHook={place.searchHook}
        aroundNav={aroundNav}
        hrefs={(href) => (isInside(href) ? hosted(href) : outside(href))}
      >
        {children}
      </Router>
    </PlaceContext.Provider>
  )
}

/** The current screen of a component. */
export function CurrentScreen({ screens }: { screens: Screen[] }) {
  const [location] = useLocation()
  const { parser } = useRouter()
  const { features } = useConfig()
  const { data, error } = useView(config)
  const found = screens.find(({ path }) => matchRoute(parser, path, location)[0])
  if (!found) return null
  const { path, component: Component, switches } = found
  // Before the answer the name of the product is not known.
  if (!data) return error ? <Unreached error={error} /> : <Skeleton lines={5} />
  if (switches && !switches.some((name) => features[name])) return null
  return (
    <Suspense fallback={<Skeleton lines={5} />}>
      <Route path={path}>
        <Component />
      </Route>
    </Suspense>
  )
}

/** Catches a component that fails or whose code cannot be loaded. */
export const Guard = ErrorBoundary

/** Renders its children with the appearance of the provider. */
export function InRoot({ inline, children }: { inline?: boolean; children: ReactNode }) {
  const { settings } = useShared()
  return (
    <Root appearance={settings.appearance} inline={inline}>
      {children}
    </Root>
  )
}

/** In place of what only a session decides about, where the page of a developer would be empty. */
export function Unanswered() {
  const { error } = useView(config)
  return (
    error &&
    isLocalPage() && (
      <InRoot>
        <Unreached error={error} />
      </InRoot>
    )
  )
}
