import { z } from 'zod'

/** A URL entered by the owner. Credentials have separate fields, which are stored encrypted and never shown. */
export function addressSetting() {
  return z
    .union([
      z.literal(''),
      z
        .url({ protocol: /^https?$/, error: 'It must be a URL, such as https://nas.example.org/backups.' })
        .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), 'It must not contain a username or password.'),
    ])
    .default('')
}

export function textSetting() {
  return z.string().trim().max(500).default('')
}

/** Stored encrypted and never shown. */
export function secretSetting() {
  return z.string().max(16_384).default('')
}
