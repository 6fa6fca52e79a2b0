import type { HtmlDocument } from './document.ts'

/** A Content Security Policy: sources by directive, lower case. */
export type Policy = ReadonlyMap<string, readonly string[]>

/** The policies in the headers of a page. One header may contain several, separated by commas. */
export function policiesInHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === 'content-security-policy')
    .flatMap(([, value]) => value.split(','))
}

/** The policies of a page, from `<meta>` elements and headers. */
export function readPolicies(document: HtmlDocument, fromHeaders: readonly string[]): readonly Policy[] {
  const metas = document
    .allWithProtected('meta')
    .filter(({ attributes }) => attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy')
  return [...metas.map(({ attributes }) => attributes.get('content') ?? ''), ...fromHeaders].map(readPolicy)
}

function readPolicy(text: string): Policy {
  const directives = text.split(';').map((directive) => directive.trim().toLowerCase().split(/\s+/))
  return new Map(directives.map(([name = '', ...sources]) => [name, sources]))
}

/** Whether a `<style>` without a nonce is applied. */
export function allowsInlineStyles(policies: readonly Policy[]): boolean {
  return policies.every((policy) => {
    const sources = policy.get('style-src-elem') ?? policy.get('style-src') ?? policy.get('default-src')
    // `'unsafe-inline'` is ignored if there is a nonce or hash (CSP 3, 6.7.3.2).
    return !sources || (sources.includes("'unsafe-inline'") && !sources.some(isNonceOrHash))
  })
}

/** Whether inline scripts may be allowed by hash, so that they must not be changed. */
export function hashesScripts(policies: readonly Policy[]): boolean {
  return policies.some((policy) =>
    [policy.get('script-src-elem'), policy.get('script-src'), policy.get('default-src')].some((sources) =>
      sources?.some((source) => /^'sha\d/.test(source)),
    ),
  )
}

function isNonceOrHash(source: string): boolean {
  return /^'(?:nonce-|sha\d)/.test(source)
}
