/** One target of a relation; WordPress writes its attributes before `href`. */
export type Link = Readonly<Record<string, unknown>> & { readonly href: string }

/** `_links` of an answer: targets by relation. */
export type Links = Readonly<Record<string, readonly Link[]>>

/** Says what the prefix `wp:` of a relation stands for; goes last. */
export const CURIES: Links = {
  curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
}

export function link(href: string): readonly Link[] {
  return [{ href }]
}

export function embeddable(href: string): readonly Link[] {
  return [{ embeddable: true, href }]
}
