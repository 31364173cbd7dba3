"""Prints how fast a model runs and how much memory it needs.

`scripts/benchmark model` calls this script. If you name a build of llama.cpp, the script measures
it too: both programs run on one thread and take turns. Each program's best turn counts, because
other work on the machine can only slow it down.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(prog="scripts/benchmark model")
parser.add_argument("program")
parser.add_argument("--model", required=True, help="a GGUF file")
parser.add_argument("--llama-cpp", metavar="SOURCE:BUILD",
                    help="llama.cpp's source folder and the folder of its static build")
parser.add_argument("--prompt", type=int, default=256)
parser.add_argument("--decode", type=int, default=48)
parser.add_argument("--batch", type=int, default=8)
parser.add_argument("--rounds", type=int, default=2, help="rounds within a turn")
parser.add_argument("--turns", type=int, default=3)
parser.add_argument("--no-answers", action="store_true", help="don't measure the answers to a test case")
options = parser.parse_args()


def best(results, *keys, fewest=False):
    values = []
    for result in results:
        for key in keys:
            result = result[key]
        values.append(result)
    return (min if fewest else max)(values)


def peer(folder):
    source, build = options.llama_cpp.split(":")
    program = os.path.join(folder, "llama-peer")
    object_file = os.path.join(folder, "llama-peer.o")
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run(
        ["cc", "-O2", "-c", os.path.join(here, "llama-peer.c"), "-o", object_file,
         "-I", os.path.join(source, "include"), "-I", os.path.join(source, "ggml", "include")],
        check=True)
    libraries = [os.path.join(build, "src", "libllama.a")]
    libraries += [os.path.join(build, "ggml", "src", f"lib{name}.a")
                  for name in ["ggml", "ggml-cpu", "ggml-base"]]
    # The libraries refer to each other, so the linker searches them as one group.
    subprocess.run(["c++", "-o", program, object_file, "-Wl,--start-group", *libraries,
                    "-Wl,--end-group", "-lpthread", "-ldl", "-lm"], check=True)
    return program


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(result.returncode)
    return json.loads(result.stdout)


with tempfile.TemporaryDirectory() as folder:
    other = peer(folder) if options.llama_cpp else None
    numbers = [str(n) for n in [options.prompt, options.decode, options.batch, options.rounds]]
    ours, theirs, answers = [], [], []
    for turn in range(options.turns):
        command = [options.program, "model", "--model", options.model, "--answers", "NO"]
        for name, number in zip(["--prompt", "--decode", "--batch", "--rounds"], numbers):
            command += [name, number]
        ours.append(run(command))
        if other:
            theirs.append(run([other, options.model, *numbers]))
    if not options.no_answers:
        answers.append(run([options.program, "model", "--model", options.model, "--prompt", "8",
                            "--decode", "1", "--batch", str(options.batch), "--rounds",
                            str(options.rounds)]))

print(f"{ours[0]['model']}, {ours[0]['quantization']}, {ours[0]['instructions']}, one thread, "
      f"best of {options.turns} turns of {options.rounds} rounds")
rows = [
    (f"prompt of {options.prompt} tokens, tokens/s", ("prompt", "wall"), False, "{:.1f}"),
    ("  in processor time", ("prompt", "processor"), False, "{:.1f}"),
    (f"decoding {options.decode} tokens, tokens/s", ("decode", "wall"), False, "{:.1f}"),
    ("  in processor time", ("decode", "processor"), False, "{:.1f}"),
    (f"{options.batch} answers at a time, tokens/s", ("batch", "rate", "wall"), False, "{:.1f}"),
    ("  in processor time", ("batch", "rate", "processor"), False, "{:.1f}"),
    ("load, s", ("load", "wall"), True, "{:.3f}"),
    ("  in processor time", ("load", "processor"), True, "{:.4f}"),
    ("load and tokenize a first prompt, s", ("ready", "wall"), True, "{:.3f}"),
    ("  in processor time", ("ready", "processor"), True, "{:.4f}"),
    ("peak memory, MiB", ("peakKiB",), True, "{:.0f}"),
]
print(f"{'':40}{'assay':>10}" + (f"{'llama.cpp':>12}{'ratio':>8}" if theirs else ""))
for title, keys, fewest, form in rows:
    scale = 1 / 1024 if keys == ("peakKiB",) else 1
    mine = best(ours, *keys, fewest=fewest) * scale
    line = f"{title:40}{form.format(mine):>10}"
    if theirs:
        other = best(theirs, *keys, fewest=fewest) * scale
        ratio = other / mine if keys[0] in ("load", "ready") else mine / other
        line += f"{form.format(other):>12}{ratio:>7.2f}×"
    print(line)
for kind in ["wall", "processor"]:
    ratio = max(r["batch"]["rate"][kind] / r["decode"][kind] for r in ours)
    print(f"a batch of {options.batch} has {ratio:.2f} times the tokens per second of one answer ({kind})")
    share = min(r["batch"]["rate"][kind] / r["known"][kind] for r in ours)
    print("  if drafts were always right and cost nothing, the batch would need only "
          f"{share:.2f} of its time ({kind})")
for result in answers:
    a = result["answers"]
    print(f"{a['repeats']} repeats of a test case, {a['tokens']} tokens: "
          f"together {a['together']:.2f} s ({a['passesTogether']} passes over the weights), "
          f"one by one {a['oneByOne']:.2f} s ({a['passesOneByOne']} passes); "
          f"together is {a['oneByOne'] / a['together']:.2f} times as fast (in processor time, "
          f"{a['processorOneByOne'] / a['processorTogether']:.2f} times)")
