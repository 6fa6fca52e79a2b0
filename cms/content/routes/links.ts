/** One target of a relation; WordPress writes its attributes before `href`. */
export type Link = Readonly<Record<string, unknown>> & { readonly href: string }

/** `_links` of a response: targets by relation. */
export type Links = Readonly<Record<string, readonly Link[]>>

/** Defines the prefix `wp:` of relations; must be last. */
export const CURIES: Links = {
  curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
}

export function link(href: string): readonly Link[] {
  return [{ href }]
}

export function embeddable(href: string): readonly Link[] {
  return [{ embeddable: true, href }]
}
