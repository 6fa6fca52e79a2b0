/** A web app manifest: members by their names in the standard (W3C Web Application Manifest). */
export type Manifest = Readonly<Record<string, unknown>>
