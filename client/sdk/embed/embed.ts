import { type ElementKind, embeddedElements } from '../../../worker/kit/embedded-elements.ts'
import type { EmbeddedElement, EmbedSettings } from './types.ts'

// /embed.js of a deployment: the components as custom elements, for pages without React. Decision 177.

/** Not inside of `new URL()`, which the bundler would resolve. */
const script = import.meta.url
const api = new URL('/api/auth', script).href

const present = new Set<EmbeddedElement>()
let settings: EmbedSettings = {}
let view: Promise<typeof import('./view.tsx')> | undefined
let isDue = false

/** What applies to all elements of the page; it replaces former settings. */
export function configure(next: EmbedSettings): void {
  settings = next
  if (view) update()
}

/** Shows the elements of this moment, once for all changes of a task. */
function update(): void {
  if (isDue) return
  isDue = true
  queueMicrotask(async () => {
    isDue = false
    view ??= load()
    try {
      const { show } = await view
      show({ api, elements: [...present], settings })
    } catch (failure) {
      // The next element tries again.
      view = undefined
      console.error('Gatehouse: the elements could not be loaded', failure)
    }
  })
}

async function load(): Promise<typeof import('./view.tsx')> {
  const [loaded] = await Promise.all([import('./view.tsx'), loadStyle()])
  return loaded
}

function loadStyle(): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = 'anonymous'
  link.href = new URL('/embed.css', script).href
  return new Promise((resolve, reject) => {
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(link.href))
    }
    document.head.append(link)
  })
}

function define(kind: ElementKind): void {
  const name = `gatehouse-${kind}`
  if (customElements.get(name)) return
  class Element extends HTMLElement implements EmbeddedElement {
    static readonly observedAttributes = ['appearance', 'language', 'theme', ...embeddedElements[kind]]
    readonly kind = kind
    readonly names = embeddedElements[kind]
    connectedCallback(): void {
      present.add(this)
      update()
    }
    disconnectedCallback(): void {
      present.delete(this)
      update()
    }
    attributeChangedCallback(): void {
      if (present.has(this)) update()
    }
  }
  customElements.define(name, Element)
}

for (const kind of Object.keys(embeddedElements) as ElementKind[]) define(kind)
