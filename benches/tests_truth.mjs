// Functions of JavaScript and TypeScript files, and counters in them; what `tests_truth.py` calls.
//
//     node tests_truth.mjs functions            < {path: text}     by path, each function with its own lines and its words
//     node tests_truth.mjs instrument ROOT HITS < [path]           puts a counter into every function of the files
//
// A counter stands on the line of its function, so that lines stay what they are. It notes once per test which function
// ran, as a line `test file:line <tab> path <tab> number` of the file HITS; vitest says which test is running.
// Needs `@babel/parser` below NODE_PATH.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { parse } = createRequire(join(process.env.NODE_PATH, 'x.js'))('@babel/parser')

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
])

const parsed = (path, text) =>
  parse(text, {
    sourceType: 'module',
    errorRecovery: true,
    tokens: true,
    createParenthesizedExpressions: true,
    plugins: [/\.[cm]?tsx?$/.test(path) && 'typescript', /x$|\.[cm]?js$/.test(path) && 'jsx', 'decorators'].filter(Boolean),
  })

/** Every function with a body, outer ones first, under the name that it is called by. */
function functionsOf(program) {
  const found = []
  const nameOf = (node, parent) => {
    const key = node.id ?? node.key ?? parent?.id ?? parent?.key ?? parent?.left
    return key?.name ?? key?.value ?? key?.id?.name ?? key?.property?.name ?? 'function'
  }
  const visit = (node, parent, outer) => {
    if (Array.isArray(node)) return node.forEach((it) => visit(it, parent, outer))
    if (typeof node?.type !== 'string') return
    let around = outer
    if (FUNCTIONS.has(node.type) && node.body) {
      around = { node, outer, name: [outer?.name, nameOf(node, parent)].filter(Boolean).join('.') }
      found.push(around)
    } else if (/^Class(Declaration|Expression)$/.test(node.type)) {
      around = { outer, name: [outer?.name, nameOf(node, parent)].filter(Boolean).join('.'), node: outer?.node }
    }
    for (const [key, child] of Object.entries(node)) {
      if (key !== 'loc' && key !== 'tokens' && !key.endsWith('omments')) visit(child, node, around)
    }
  }
  visit(program.program, null, null)
  const seen = new Map()
  found.forEach((it, number) => {
    const count = (seen.get(it.name) ?? 0) + 1
    seen.set(it.name, count)
    it.number = number
    it.key = count === 1 ? it.name : `${it.name}~${count}`
  })
  return found
}

function described(path, text) {
  const program = parsed(path, text)
  const all = functionsOf(program)
  const words = program.tokens.filter((it) => it.type !== 'CommentLine' && it.type !== 'CommentBlock')
  const range = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
  return Object.fromEntries(
    all.map((it) => {
      const { start, end, loc } = it.node
      const inner = all.filter((other) => other !== it && other.node.start > start && other.node.end <= end)
      // A line belongs to the functions that begin, end or stand on it and to no function inside them.
      const taken = new Set(inner.flatMap((other) => range(other.node.loc.start.line + 1, other.node.loc.end.line - 1)))
      const lines = range(loc.start.line, loc.end.line).filter((line) => !taken.has(line))
      const outside = (word) => !inner.some((other) => word.start >= other.node.start && word.end <= other.node.end)
      const own = words.filter((word) => word.start >= start && word.end <= end && outside(word))
      return [it.key, { lines, number: it.number, words: own.map((word) => text.slice(word.start, word.end)).join(' ') }]
    })
  )
}

function instrumented(path, text, hits) {
  const program = parsed(path, text)
  const inserts = []
  for (const { node, number } of functionsOf(program)) {
    const count = `globalThis.__truth?.(${JSON.stringify(path)},${number})`
    if (node.body.type === 'BlockStatement') {
      const after = node.body.directives.at(-1)?.end ?? node.body.start + 1
      inserts.push([after, `;${count};`])
    } else {
      inserts.push([node.body.start, `(${count},`], [node.body.end, ')'])
    }
  }
  const prelude = `globalThis.__truth??=((fs,seen)=>(path,number)=>{const it=globalThis.__vitest_worker__?.current;if(it?.type!=='test')return;const line=(it.file?.filepath??'')+':'+(it.location?.line??0)+'\\t'+path+'\\t'+number+'\\n';if(!seen.has(line)){seen.add(line);fs.appendFileSync(${JSON.stringify(hits)},line)}})(process.getBuiltinModule('node:fs'),new Set());`
  const first = program.program.body[0]
  if (first) inserts.push([first.start, prelude])
  // From the end on; what closes at a place stands before what opens there.
  inserts.sort((left, right) => right[0] - left[0] || (left[1] === ')') - (right[1] === ')'))
  return inserts.reduce((now, [at, what]) => now.slice(0, at) + what + now.slice(at), text)
}

const [, , mode, root, hits] = process.argv
const input = JSON.parse(readFileSync(0, 'utf8'))
if (mode === 'functions') {
  const answer = Object.entries(input).map(([path, text]) => [path, text ? described(path, text) : {}])
  process.stdout.write(JSON.stringify(Object.fromEntries(answer)))
} else {
  writeFileSync(hits, '')
  for (const path of input) {
    const file = join(root, path)
    const text = readFileSync(file, 'utf8')
    try {
      writeFileSync(file, instrumented(path, text, hits))
    } catch (error) {
      process.stderr.write(`${path}: left alone: ${error.message}\n`)
    }
  }
}
