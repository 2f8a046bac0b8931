import { Features, transform } from 'lightningcss'
import postcss, { type AtRule, type Declaration, type Root, type Rule } from 'postcss'

// Makes a stylesheet of the app one for components in a page of another product: it changes nothing outside of the root
// elements, and no rule of the page changes what is inside.

/** Of classes, custom properties and animations. sdk/components/jsx adds it to the classes of the elements. */
const prefix = 'gh-'
const root = `.${prefix}root`

/**
 * The root element, with the specificity of an id, above the rules of a page. `#_` matches nothing.
 * (Selectors Level 4, section 17: `:is()` has the specificity of its most specific argument.)
 */
const scope = `:is(#_,${root})`
/** For what wins over other rules of the app, as `!important` does there. */
const strongScope = `${scope}:not(#_)`

const rootPart = /^(?::root|html|body)(?![\w-])/

function scoped(selector: string, within: string): string {
  if (rootPart.test(selector)) return selector.replace(rootPart, within)
  const isOfRoot = selector === root || selector.startsWith(`${root}-`)
  return isOfRoot ? within + selector : `${within} ${selector}`
}

const isCustom = ({ prop }: Declaration) => prop.startsWith('--')

function scopeRule(rule: Rule): void {
  const selectors = rule.selectors.filter((selector) => !selector.startsWith(':host'))
  const declared = rule.nodes.filter((node) => node.type === 'decl')
  const custom = declared.filter(isCustom)
  const important = declared.filter((one) => !isCustom(one) && one.important)
  const others = declared.filter((one) => !isCustom(one) && !one.important)
  const written = (within: string[], declarations: Declaration[]) => {
    if (within.length === 0 || declarations.length === 0) return
    const copy = rule.cloneBefore({ selectors: within, nodes: [] })
    for (const one of declarations) copy.append(one.clone({ important: !isCustom(one) }))
  }
  const isTheme = selectors.every((selector) => rootPart.test(selector))
  // The tokens, which the page may replace: `.gh-root { --gh-radius: 0 }`.
  written(isTheme ? [`:where(${root})`] : selectors.map((selector) => scoped(selector, scope)), custom)
  written(
    selectors.map((selector) => scoped(selector, scope)),
    others,
  )
  written(
    selectors.map((selector) => scoped(selector, strongScope)),
    important,
  )
  rule.remove()
}

/** The initial values of Tailwind's own properties. `@property` would register them for the whole page. */
function takeInitialValues(sheet: Root): string {
  const values: string[] = []
  sheet.walkAtRules('property', (rule) => {
    let initial = 'initial'
    rule.walkDecls('initial-value', ({ value }) => {
      initial = value
    })
    values.push(`${rule.params}:${initial}`)
    rule.remove()
  })
  return `*,::before,::after,::backdrop{${values.join(';')}}`
}

/** Undoes all rules of the page, except of icons, and of elements with a style of their own. */
const reset =
  ':root{all:initial}:root::before,:root::after,:where(:not([style],svg,svg *)),::before,::after{all:revert}'

/** Without layers, because `!important` reverses their order. */
function flatten(sheet: Root): void {
  const isLayer = (node: unknown): node is AtRule =>
    (node as AtRule).type === 'atrule' && (node as AtRule).name === 'layer'
  for (let found = true; found; ) {
    found = false
    sheet.walkAtRules('layer', (rule) => {
      if (!isLayer(rule)) return
      found = true
      // For browsers without `@property`.
      if (rule.params === 'properties' || !rule.nodes) rule.remove()
      else rule.replaceWith(rule.nodes)
    })
  }
}

const withPrefix = (text: string, animations: string[]): string => {
  const named = text.replace(/(?<![\w-])--(?=[a-z])/gi, `--${prefix}`)
  return animations.reduce(
    (all, name) => all.replace(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g'), prefix + name),
    named,
  )
}

/** Lengths in `rem` depend on the page's root element. Media queries use the browser's own size instead. */
const inOwnUnit = (value: string): string =>
  value.replace(/(?<![\w.])(-?(?:\d+\.?\d*|\.\d+))rem\b/g, `calc($1*var(--${prefix}rem))`)

/**
 * A value with one of the two colours of each `light-dark()`. A consumer's minifier replaces that function for older browsers
 * by one that depends on its own targets, so that the published stylesheet has explicit values for each theme.
 */
function inTheme(value: string, at: 0 | 1): string {
  const start = value.indexOf('light-dark(')
  if (start < 0) return value
  const first = start + 'light-dark('.length
  let depth = 0
  let comma = -1
  for (let end = first; end < value.length; end++) {
    const letter = value[end]
    if (letter === '(') depth++
    if (letter === ',' && depth === 0) comma = end
    if (letter !== ')') continue
    if (depth-- > 0) continue
    const pair = [value.slice(first, comma), value.slice(comma + 1, end)]
    return value.slice(0, start) + pair[at]!.trim() + inTheme(value.slice(end + 1), at)
  }
  throw new Error(`unclosed light-dark() in ${value}`)
}

/** The root element in the dark theme (sdk/components/theme.ts), and in that of a dark device. */
const dark = `${root}[data-theme=dark]`
const ofDevice = `${root}[data-theme=system]`

/** Gives each rule the light values, and copies it with the dark ones. */
function separateThemes(sheet: Root): void {
  sheet.walkRules((rule) => {
    const both = rule.nodes.filter(
      (node) => node.type === 'decl' && node.value.includes('light-dark('),
    ) as Declaration[]
    if (both.length === 0) return
    const inDark = both.map((one) => one.clone({ value: inTheme(one.value, 1) }))
    for (const one of both) one.value = inTheme(one.value, 0)
    const copyFor = (place: string) =>
      rule.clone({ selectors: rule.selectors.map((one) => one.replace(root, () => place)), nodes: inDark })
    const onDark = postcss.parse('@media (prefers-color-scheme: dark) {}').first as AtRule
    onDark.append(copyFor(ofDevice))
    rule.after([copyFor(dark), onDark])
  })
}

const plain = (css: string, minify: boolean): string => {
  const { code } = transform({
    filename: 'components.css',
    code: new TextEncoder().encode(css),
    minify,
    ...(minify ? {} : { include: Features.Nesting }),
  })
  return new TextDecoder().decode(code)
}

/** @param css with the rules of Tailwind and of the app */
export function scopedStyle(css: string): string {
  const sheet = postcss.parse(plain(css, false))
  const initialValues = takeInitialValues(sheet)
  flatten(sheet)
  sheet.prepend(postcss.parse(reset + initialValues))
  const animations: string[] = []
  sheet.walkAtRules('keyframes', ({ params }) => {
    animations.push(params)
  })
  sheet.walkAtRules('keyframes', (rule) => {
    rule.params = prefix + rule.params
  })
  sheet.walkDecls((one) => {
    if (isCustom(one)) one.prop = withPrefix(one.prop, [])
    const isAnimated = one.prop.includes('animat')
    one.value = inOwnUnit(withPrefix(one.value, isAnimated ? animations : []))
  })
  sheet.walkRules((rule) => {
    if ((rule.parent as AtRule).name === 'keyframes' || rule.nodes.length === 0) return
    rule.selector = rule.selector.replace(/\.(?=[\w\\-])/g, (dot, at: number, all: string) =>
      all[at - 1] === '\\' ? dot : dot + prefix,
    )
  })
  const rules: Rule[] = []
  sheet.walkRules((rule) => {
    if ((rule.parent as AtRule).name !== 'keyframes') rules.push(rule)
  })
  for (const rule of rules) scopeRule(rule)
  separateThemes(sheet)
  return plain(sheet.toString(), true)
}
