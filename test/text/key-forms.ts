/** Makes random keys in the forms that their issuers publish, each from parts, so that no scanner finds one here. */

const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS = UPPER + UPPER.toLowerCase();
const ALNUM = LETTERS + DIGITS;
const BASE64 = `${ALNUM}+/`;
const URL64 = `${ALNUM}-_`;

let seed = 20_261_124;

/** A number below `limit` by a fixed seed, so that a failure comes again. */
function below(limit: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}

export function randomOf(letters: string, length: number): string {
  let text = '';
  for (let n = 0; n < length; n++) text += letters[below(letters.length)];
  // A key may not end in what is no part of a word, as a sentence would.
  return text.replace(/[-_]$/, 'a');
}

const one = (...names: string[]): string => names[below(names.length)]!;

function privateKey(): string {
  const kind = one('', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ');
  const end = one('\n', '\r\n', '\\n');
  const header =
    kind === 'RSA '
      ? `Proc-Type: 4,ENCRYPTED${end}DEK-Info: AES-128-CBC,${randomOf(HEX, 32)}${end}${end}`
      : '';
  const begin = ['-----BEGIN ', kind, 'PRIVATE ', 'KEY-----'].join('');
  return `${begin}${end}${header}${randomOf(BASE64, 64)}${end}${randomOf(BASE64, 64)}${end}`;
}

/** Forms by the words of a refusal. */
export const KEYS: Readonly<Record<string, () => string>> = {
  'an AWS access key': () => one('AKIA', 'ASIA') + randomOf(`${UPPER}234567`, 16),
  'a GitHub token': () => `${one('ghp', 'gho', 'ghu', 'ghs', 'ghr')}_${randomOf(ALNUM, 36)}`,
  'a GitHub fine-grained token': () => `${'github'}_pat_${randomOf(ALNUM, 22)}_${randomOf(ALNUM, 59)}`,
  'a GitLab token': () => `${one('glpat', 'gldt', 'glrt')}-${randomOf(URL64, 20)}`,
  'a Slack token': () =>
    `${one('xoxb', 'xoxp')}-${randomOf('123456789', 12)}-${randomOf('123456789', 12)}-${randomOf(ALNUM, 24)}`,
  'a Slack app token': () =>
    `${'xapp'}-1-${randomOf(UPPER + DIGITS, 11)}-${randomOf('123456789', 13)}-${randomOf(HEX, 64)}`,
  'a Slack webhook': () =>
    `https://hooks.slack.com/services/T${randomOf(UPPER + DIGITS, 8)}/B${randomOf(UPPER + DIGITS, 10)}/${randomOf(ALNUM, 24)}`,
  'a Stripe live key': () => `${one('sk', 'rk')}_live_${randomOf(ALNUM, one('24', '99') === '24' ? 24 : 99)}`,
  'a Google API key': () => `${'AIza'}Sy${randomOf(URL64, 33)}`,
  'a Google OAuth client secret': () => `${'GOCSPX'}-${randomOf(URL64, 28)}`,
  'an OpenAI key': () =>
    one('legacy', 'project') === 'legacy'
      ? `sk-${randomOf(ALNUM, 20)}${'T3Blbk'}FJ${randomOf(ALNUM, 20)}`
      : `sk-${one('proj', 'svcacct', 'admin')}-${randomOf(URL64, 74)}${'T3Blbk'}FJ${randomOf(URL64, 74)}`,
  'an Anthropic key': () => `sk-${'ant'}-${one('api03', 'admin01')}-${randomOf(URL64, 93)}AA`,
  'an npm token': () => `${'npm'}_${randomOf(ALNUM, 36)}`,
  'a PyPI token': () => `${'pypi'}-AgEIcHlwaS5vcmc${randomOf(URL64, 120)}`,
  'a RubyGems key': () => `${'rubygems'}_${randomOf(HEX, 48)}`,
  'a SendGrid key': () => `${'SG'}.${randomOf(URL64, 22)}.${randomOf(URL64, 43)}`,
  'a DigitalOcean token': () => `${one('dop', 'doo', 'dor')}_v1_${randomOf(HEX, 64)}`,
  'a Hugging Face token': () => `${'hf'}_${randomOf(LETTERS, 34)}`,
  'a Shopify token': () => `${one('shpat', 'shpca', 'shppa', 'shpss')}_${randomOf(HEX, 32)}`,
  'a Databricks token': () => `${'dapi'}${randomOf(HEX, 32)}`,
  'a Vault token': () => `${'hvs'}.${randomOf(URL64, 96)}`,
  'a Terraform token': () => `${randomOf(ALNUM, 14)}.${'atlasv1'}.${randomOf(URL64, 67)}`,
  'a Grafana token': () => `${'glsa'}_${randomOf(ALNUM, 32)}_${randomOf(HEX, 8)}`,
  'a Linear key': () => `${'lin'}_api_${randomOf(ALNUM, 40)}`,
  'a Docker token': () => `${'dckr'}_${one('pat', 'oat')}_${randomOf(URL64, 27)}`,
  'a Telegram bot token': () => `${randomOf('123456789', 10)}:AA${randomOf(URL64, 33)}`,
  'an Azure storage key': () => `${'Account'}Key=${randomOf(BASE64, 86)}==`,
  'a Groq key': () => `${'gsk'}_${randomOf(ALNUM, 52)}`,
  'an xAI key': () => `${'xai'}-${randomOf(ALNUM, 80)}`,
  'a Perplexity key': () => `${'pplx'}-${randomOf(ALNUM, 48)}`,
  'an age secret key': () => `AGE-${'SECRET'}-KEY-1${randomOf('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  'a private key': privateKey,
};
