/** In place of wouter's module for the address of the document: a component has an address of its own. */
function missing(): never {
  throw new Error('a component renders outside of its place')
}

export const useBrowserLocation = missing
export const useSearch = missing
export const useHistoryState = missing
export const navigate = missing
