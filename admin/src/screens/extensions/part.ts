import type { PageData } from '../../page-data.ts'

export type ExtensionPageData = PageData['pages'][number]
export type Part = NonNullable<ExtensionPageData['parts']>[number]
export type PartOf<Type extends Part['type']> = Extract<Part, { type: Type }>

/** `shop/v1` of `shop/v1/orders/7`: after a change, everything shown from this namespace is fetched again. */
export const namespaceOf = (route: string) => route.split('/').slice(0, 2).join('/')
